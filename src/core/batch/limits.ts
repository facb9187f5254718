// https://docs.siliconflow.cn/cn/userguide/guides/batch
/** The most requests of one file. */
export const maxRequests = 5000;
/** The most bytes of one file. */
export const maxBytes = 1024 ** 3;
/** Longer ids are taken, but are hard to read in results; no limit is documented. */
export const longId = 64;

export const batchMethod = 'POST';
export const batchUrl = '/v1/chat/completions';
export const topMembers = ['custom_id', 'method', 'url', 'body'] as const;
export const roles = ['system', 'user', 'assistant', 'tool'] as const;
