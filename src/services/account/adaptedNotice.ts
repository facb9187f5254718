import * as l10n from '@vscode/l10n';
import type { Adapted } from '../../core/api/chat/chatAttempts';
import { foreign } from '../../core/text/foreignText';
import { showMessage } from '../../platform/notify';

/** Shows once how a request was changed after its model rejected it. Later requests are sent that way from the start. */
export function tellAdapted({ model, change }: Adapted): void {
  const text = textOf(change, foreign(model, 60));
  if (text !== undefined) void showMessage('information', text);
}

/** Returns `undefined` for changes that users don't notice. */
function textOf(change: Adapted['change'], model: string): string | undefined {
  switch (change) {
    case 'sampling':
      return l10n.t("{0} doesn't support your sampling parameters, so they weren't sent.", model);
    case 'thinking':
      return l10n.t("{0} doesn't support the thinking setting, so it wasn't sent.", model);
    case 'stream':
      return l10n.t("{0} doesn't support streaming, so responses appear when they're complete.", model);
    case 'system':
      return l10n.t("{0} doesn't support system prompts. Yours is part of the first message.", model);
    case 'roles':
      return l10n.t('{0} requires alternating roles. Consecutive messages were combined.', model);
    case 'tools':
      return l10n.t("{0} doesn't support tool messages. Earlier calls were sent as text.", model);
    case 'prefill':
    case 'wire':
      return undefined;
  }
}
