/** PORT_VERSION is the version of SPEC.md. It travels in every window message and is part of the protocol hash. */
export const PORT_VERSION = 1;
