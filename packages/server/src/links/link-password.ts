import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's parameters of scrypt with the least memory: 16 MiB a password, some 150 ms. */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** What is stored of a password: `scrypt`, its salt and its hash, in base64url. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derived(password, salt);
  return ["scrypt", salt.toString("base64url"), hash.toString("base64url")].join(".");
}

/** Whether a password is the one of what is stored. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = "", hash = ""] = stored.split(".");
  const found = await derived(password, Buffer.from(salt, "base64url"));
  const wanted = Buffer.from(hash, "base64url");
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** On another thread. The same letters are the same password in any form of Unicode. */
function derived(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, hashBytes, cost, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
