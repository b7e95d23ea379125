export { Brush } from "./brush";
export { Tray } from "./tray";
