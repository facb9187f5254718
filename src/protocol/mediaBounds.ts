/** The service states it for pictures; for videos it states none. */
export const mostSeed = 9_999_999_999;

/** In bytes: of a picture that is sent along, as text. A service that takes more is not known. */
export const maxImageBytes = 20_000_000;
