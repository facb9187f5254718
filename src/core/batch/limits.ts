// https://docs.siliconflow.cn/cn/userguide/guides/batch
/** The most requests a file may have. */
export const maxRequests = 5000;
/** The most bytes a file may have. */
export const maxBytes = 1024 ** 3;
/** Longer ids are accepted but hard to read in results; no limit is documented. */
export const longId = 64;

export const batchMethod = 'POST';
export const batchUrl = '/v1/chat/completions';
export const topMembers = ['custom_id', 'method', 'url', 'body'] as const;
export const roles = ['system', 'user', 'assistant', 'tool'] as const;
