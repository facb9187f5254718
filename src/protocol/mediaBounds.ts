/** Stated by the service for images; it states none for videos. */
export const mostSeed = 9_999_999_999;

/** In bytes: maximum size of an input image as text. No service is known to accept more. */
export const maxImageBytes = 20_000_000;

/**
 * Maximum characters of what is typed about a voice. The name's limit is that of the known services; the texts' limits only prevent a page
 * from sending endless text.
 */
export const voiceBounds = { name: 64, text: 10_000, note: 4000, model: 500 } as const;

/** Hertz: rates that can be chosen for raw samples, the ones the service generates speech with. */
export const pcmRates = [8000, 16_000, 24_000, 32_000, 44_100, 48_000] as const;

/** Maximum number of files that can be selected in the gallery at the same time. */
export const mostSelected = 500;
