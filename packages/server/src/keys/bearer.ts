/**
 * The credential of an `Authorization: Bearer …` field (RFC 6750; the scheme in any case); null:
 * there is no field; undefined: the field has another form.
 */
export function bearerToken(authorization: string | undefined): string | null | undefined {
  if (authorization === undefined) return null;
  return /^Bearer +([A-Za-z0-9._~+/:-]+=*) *$/i.exec(authorization)?.[1];
}
