/** Maximum characters of one attachment: about 100,000 tokens of code. Few models read more in one request, and fewer read it well. */
export const maxAttachedCharacters = 400_000;

/** Maximum number of models that a question can be sent to at once. */
export const mostCompared = 4;
