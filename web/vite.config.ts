import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/static/",
  publicDir: false,
  build: {
    outDir: "../src/kletka/server/static",
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    // The page's security policy knows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "src/main.ts" },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"] },
});
