import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../components/iconButton';
import type { Chat } from './chatContext';
import { ListField, NumberField, TextField } from './parameterFields';
import { PresetBar } from './presetBar';

export interface PanelProps {
  readonly chat: Chat;
  readonly id: string;
  /** Puts the focus back to where it came from. */
  readonly close: () => void;
}

/** What is sent with each question of this conversation. An empty field is not sent; `max_tokens` has a default. */
export function ParametersPanel({ chat, id, close }: PanelProps) {
  const { strings } = chat;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { parameters } = chat.session;
    panel.current?.querySelector<HTMLElement>('textarea')?.focus();
    return () => void parameters.settle();
  }, [chat]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <div
      class="parameters-panel"
      id={id}
      role="dialog"
      aria-label={strings.parametersTitle}
      ref={panel}
      onKeyDown={onKeyDown}
    >
      <div class="parameters-head">
        <h2 class="parameters-title">{strings.parametersTitle}</h2>
        <IconButton icon="close" label={strings.closeParameters} onClick={close} />
      </div>
      <PresetBar chat={chat} />
      <TextField chat={chat} name="system" label={strings.systemPrompt} rows={3} />
      <div class="parameters-numbers">
        <NumberField chat={chat} name="max_tokens" placeholder={undefined} />
        <NumberField chat={chat} name="temperature" placeholder={strings.notSet} />
        <NumberField chat={chat} name="top_p" placeholder={strings.notSet} />
        <NumberField chat={chat} name="top_k" placeholder={strings.notSet} />
      </div>
      <ListField chat={chat} name="stop_sequences" label={strings.stopSequences} />
      <TextField chat={chat} name="prefill" label={strings.startWith} rows={2} />
    </div>
  );
}
