import type { ApiError } from '../../core/api/errors';
import type { WireAction } from '../../protocol/wire';

/** An error as shown to the user. */
export interface Words {
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

/** Facts that only the requester knows. */
export interface ErrorHints {
  /** Names similar to the one the service does not know, closest first. */
  readonly nearestModels?: readonly string[];
}

/** Whether a failed call was a chat, whose author can change the message and the parameters. */
export function isOfChat({ details: { endpoint = '' } }: ApiError): boolean {
  return /\/(messages|chat\/completions)$/.test(endpoint);
}
