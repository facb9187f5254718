/** Stated by the service for images; it states none for videos. */
export const mostSeed = 9_999_999_999;

/** In bytes: maximum size of an input image as text. No service is known to accept more. */
export const maxImageBytes = 20_000_000;
