import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../components/icon';
import type { Chat } from './chatContext';

/** The instructions that are sent with each request, which a press turns off for this conversation. Nothing if there are none. */
export function InstructionsChip({ chat: { session } }: { readonly chat: Chat }) {
  const { host } = session;
  const found = useSignal<{ readonly sources: readonly string[]; readonly isOn: boolean } | undefined>(undefined);
  const conversationId = session.page.value?.conversationId;
  useEffect(() => {
    let isOver = false;
    const read = () =>
      void host.call('chat/instructions', {}).then(
        (answer) => !isOver && (found.value = answer),
        () => undefined,
      );
    read();
    // The files may have changed in the meantime.
    window.addEventListener('focus', read);
    return () => {
      isOver = true;
      window.removeEventListener('focus', read);
    };
  }, [host, found, conversationId]);
  const { sources = [], isOn = true } = found.value ?? {};
  const [first] = sources;
  if (first === undefined) return null;
  const name = first.startsWith('inferenceDesk.') ? l10n.t('Instructions') : (first.split('/').at(-1) ?? first);
  const label = sources.length > 1 ? `${name} +${sources.length - 1}` : name;
  const hint = isOn
    ? l10n.t('Sent with each request. Select to turn off in this conversation.')
    : l10n.t('Not sent. Select to turn on in this conversation.');
  const turn = async () => {
    if (!(await session.attempt(host.call('chat/useInstructions', { isOn: !isOn })))) return;
    found.value = { sources, isOn: !isOn };
  };
  return (
    <button
      type="button"
      class={`instructions-chip${isOn ? '' : ' instructions-off'}`}
      aria-pressed={isOn}
      title={[...sources, hint].join('\n')}
      onClick={() => void turn()}
    >
      <Icon name="book" />
      <span class="composer-account">{label}</span>
    </button>
  );
}
