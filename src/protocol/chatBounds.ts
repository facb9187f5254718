/** Maximum characters of one attachment: about 100,000 tokens of code. Few models read more in one request, and fewer read it well. */
export const maxAttachedCharacters = 400_000;
/** Maximum size of a dropped file: a character takes at most four bytes. */
export const maxDroppedBytes = maxAttachedCharacters * 4;

/** Maximum number of models that a question can be sent to at once. */
export const mostCompared = 4;
