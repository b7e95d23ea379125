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
    modulePreload: false,
    rolldownOptions: {
      input: { main: "src/main.ts", worker: "src/worker/worker.ts" },
      // The worker's address stays: browsers ask there for a newer one.
      output: { entryFileNames: ({ name }) => (name === "worker" ? "worker.js" : "assets/[name]-[hash].js") },
    },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"] },
});
