/** The longest a model waits for the files of a finished job; the download continues, and the model can ask for them later. */
export const savingMs = 3 * 60_000;
