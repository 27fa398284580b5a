/** Local class names by the names in the file; esbuild gives each its own (local-css). */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

/** Global rules; nothing is imported by name. */
declare module "*.css";
