/** The client's version, as it names itself to the service. */
export const clientVersion = "0.1.0";
