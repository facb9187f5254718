/** Every string of the chat page. The host words them (`features/chat/chatStrings.ts`). */
export interface ChatStrings {
  readonly askPlaceholder: string;
  readonly send: string;
  readonly stop: string;
}
