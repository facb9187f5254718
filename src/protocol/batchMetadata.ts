/** Keys of a batch's metadata with a separate field, and the one that identifies the batch later. */
export const takenKeys = { name: 'name', description: 'batch_description', job: 'inference_desk_job' } as const;
