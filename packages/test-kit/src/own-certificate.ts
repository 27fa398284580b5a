import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AfterHook } from "./sample-account.ts";
import { temporaryFolder } from "./test-service.ts";

/** A key and a certificate of a name, which no authority knows; in PEM. */
export function ownCertificate(t: AfterHook, name: string) {
  const folder = temporaryFolder();
  t.after(async () => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const parameters = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  parameters.push("-keyout", key, "-out", cert, "-subj", `/CN=${name}`);
  parameters.push("-addext", `subjectAltName=DNS:${name}`);
  execFileSync("openssl", ["req", "-x509", ...parameters], { stdio: "pipe" });
  return { key: readFileSync(key), cert: readFileSync(cert, "utf8") };
}
