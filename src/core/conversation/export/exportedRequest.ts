import type { MessageRequest } from '../../api/messages/messages.schema';

/** A request to export as a program that sends it. Does not contain the key, which programs read from `keyVariable`. */
export interface ExportedRequest {
  /** Ends in the version segment, `https://host/v1`. */
  readonly baseUrl: string;
  readonly body: MessageRequest;
}

/** The environment variable from which every exported program takes the key. */
export const keyVariable = 'INFERENCE_DESK_API_KEY';

export function messagesUrl({ baseUrl }: ExportedRequest): string {
  return `${baseUrl.replace(/\/+$/, '')}/messages`;
}
