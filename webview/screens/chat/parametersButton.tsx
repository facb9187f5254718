import { useEffect, useId, useRef } from 'preact/hooks';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { closeOutside } from '../../components/closeOutside';
import type { Chat } from './chatContext';
import './parameters.css';
import { ParametersPanel } from './parametersPanel';

/** Says how many parameters are set, and opens the panel that sets them. */
export function ParametersButton({ chat }: { readonly chat: Chat }) {
  const { session, strings } = chat;
  const { open, state } = session.parameters;
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const count = state.value?.count ?? 0;
  const isWrong = Object.keys(state.value?.issues ?? {}).length > 0;
  const label = count === 0 ? strings.parameters : fill(strings.parametersSet, String(count));
  useEffect(() => closeOutside(root, open), [open]);
  const close = () => {
    open.value = false;
    button.current?.focus();
  };

  return (
    <div class="parameters" ref={root}>
      <button
        ref={button}
        type="button"
        class="parameters-button"
        title={isWrong ? strings.parametersWrong : label}
        aria-label={isWrong ? `${label}. ${strings.parametersWrong}` : label}
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        aria-haspopup="dialog"
        onClick={() => (open.value = !open.value)}
      >
        <Icon name={isWrong ? 'warning' : 'settings-gear'} />
        {count > 0 && <span class="parameters-count">{label}</span>}
      </button>
      {open.value && state.value && <ParametersPanel chat={chat} id={id} close={close} />}
    </div>
  );
}
