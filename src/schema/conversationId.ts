/** A conversation's id is also the name of its file. */
export const conversationIdPattern = /^[\w-]{1,64}$/;

export function isConversationId(value: unknown): value is string {
  return typeof value === 'string' && conversationIdPattern.test(value);
}
