import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** A secret is damaged, or was encrypted with another pepper or for another owner. */
export class UnreadableSecretError extends Error {
  constructor() {
    super("The secret cannot be decrypted: it is damaged, or was stored under another pepper.");
    this.name = "UnreadableSecretError";
  }
}

/**
 * Encrypts secrets that the service must read back, so that a hash does not suffice. The key is
 * derived from the pepper: the database alone does not reveal a secret.
 */
export class SecretBox {
  readonly #key: Buffer;

  private constructor(key: Uint8Array) {
    this.#key = Buffer.from(key);
  }

  static of(pepper: Uint8Array): SecretBox {
    // Named after what was encrypted first; another name would lose those secrets.
    const key = hkdfSync("sha256", pepper, "", "sightline webhook secrets", keyBytes);
    return new SecretBox(new Uint8Array(key));
  }

  /** The box of a key from `forThread`. */
  static ofKey(key: Uint8Array): SecretBox {
    return new SecretBox(key);
  }

  /** The key for a thread, whose message is not logged. */
  forThread(): Uint8Array {
    return new Uint8Array(this.#key);
  }

  /**
   * Encrypts a secret (AES-256-GCM). @returns nonce, tag and ciphertext, which only the same owner
   * can open.
   */
  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Decrypts a secret. @throws UnreadableSecretError. */
  open(sealed: Uint8Array, owner: string): string {
    const nonce = sealed.subarray(0, nonceBytes);
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    try {
      const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      const opened = decipher.update(sealed.subarray(nonceBytes + tagBytes));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch {
      throw new UnreadableSecretError();
    }
  }
}
