import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { type BarAction, focusAction } from '../../../components/actionBar';
import { closeOutside } from '../../../components/closeOutside';
import type { Chat } from '../chatContext';
import { ComparePanel } from './comparePanel';

const panelId = 'compare-panel';

/** Opens the panel that chooses the models to compare. */
export function compareAction({ session }: Chat): BarAction {
  const { open } = session.comparing;
  return {
    id: 'compare',
    icon: 'split-horizontal',
    label: l10n.t('Compare models'),
    room: 'much',
    panel: { id: panelId, open },
    run: () => (open.value = !open.peek()),
  };
}

/** The compare panel, while it is open. */
export function ComparePopup({ chat }: { readonly chat: Chat }) {
  const { open } = chat.session.comparing;
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => closeOutside(root, open), [open]);
  if (!open.value) return null;
  const close = (isChosen: boolean) => {
    open.value = false;
    if (isChosen) document.querySelector<HTMLElement>('.composer-text')?.focus();
    else focusAction('compare');
  };
  return <ComparePanel chat={chat} id={panelId} root={root} close={close} />;
}
