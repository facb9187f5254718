/** Maximum characters of one attachment: about 100,000 tokens of code. Few models read more in one request, and fewer read it well. */
export const maxAttachedCharacters = 400_000;
/** Maximum size of a dropped file, because a character takes up to four bytes. */
export const maxDroppedBytes = maxAttachedCharacters * 4;

/** The image types that all services accept. */
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Maximum size of an image: Anthropic accepts up to 5 MB of Base64, other services more. */
export const maxImageBytes = 3_932_160;
/** Maximum width and height of an image in pixels, which is Anthropic's limit too. */
export const maxImageSide = 8000;
/** Maximum size of an image that is scaled down to be attached. */
export const maxScaledBytes = 40_000_000;

/** Maximum number of models that a question can be sent to at once. */
export const mostCompared = 4;
