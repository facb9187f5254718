import type { MessageRequest } from '../../api/messages/messages.schema';

/** A request to be written as a program that sends it. The key is no part of it: programs read it from `keyVariable`. */
export interface ExportedRequest {
  /** Ends in the version segment, `https://host/v1`. */
  readonly baseUrl: string;
  readonly body: MessageRequest;
}

/** The environment variable every exported program takes the key from. */
export const keyVariable = 'INFERENCE_DESK_API_KEY';

export function messagesUrl({ baseUrl }: ExportedRequest): string {
  return `${baseUrl.replace(/\/+$/, '')}/messages`;
}
