// npm installs a package under a Node that is too old for it, with a mere warning. What an old Node
// makes of the command's own files would be no message for anybody.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  await import("./packages/cli/src/main.js");
} else {
  process.stderr.write(
    `sightline needs Node.js 22.18 or newer; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
}
