/** Longer ids are accepted but hard to read in results; no limit is documented. */
export const longId = 64;

export const batchMethod = 'POST';
export const batchUrl = '/v1/chat/completions';
export const topMembers = ['custom_id', 'method', 'url', 'body'] as const;
export const roles = ['system', 'user', 'assistant', 'tool'] as const;
