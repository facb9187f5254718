import './offerList.css';
import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat } from './chatContext';
import { shortenMiddle } from './modelNames';
import { pageNumber } from '../../components/pageLanguage';
import type { Offer } from '../../../src/protocol/chatOffers';
import { caretPosition } from '../../components/caretPosition';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import { nextIndex } from '../../components/pickerItems';
import { withoutWord } from './mention';

const icons: Readonly<Record<Offer['kind'], IconName>> = {
  selection: 'selection',
  openFile: 'file',
  problems: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  file: 'file',
  folder: 'folder',
  task: 'wand',
  promptFile: 'comment-discussion',
  command: 'chevron-right',
};

/** Maximum length in characters; both ends of a path are shown. */
const maxDetail = 40;

/** Opens a list of possible attachments when `#` is typed in the question box, and of commands for `/`. The box keeps the focus. */
export function useOffers(chat: Chat, box: RefObject<HTMLTextAreaElement | null>) {
  const { offers, draft } = chat.session;
  const id = useId();
  const found = offers.found.value;
  const isOpen = found.length > 0;

  const take = (offer: Offer) => {
    const [word, field] = [offers.word.peek(), box.current];
    if (word && field) {
      const rest = withoutWord(field.value, word);
      field.value = rest.text;
      field.setSelectionRange(rest.cursor, rest.cursor);
      draft.set(rest.text);
    }
    void offers.take(offer).then((taken) => {
      if (taken?.opens === 'compare') chat.session.comparing.open.value = true;
      if (taken?.text === undefined || !field) return;
      const at = Math.min(word?.start ?? 0, field.value.length);
      const after = field.value.slice(at);
      field.value = `${field.value.slice(0, at)}${taken.text}${after === '' || /^\s/.test(after) ? '' : ' '}${after}`;
      field.setSelectionRange(at + taken.text.length, at + taken.text.length);
      draft.set(field.value);
    });
  };
  return {
    /** Attributes for the question box. HTML does not allow a multi-line box to be a combobox, but it may announce a list. */
    attributes: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(isOpen && {
        'aria-controls': id,
        ...(offers.active.value >= 0 && { 'aria-activedescendant': `${id}-${offers.active.value}` }),
      }),
    } as const,
    /** Call it whenever the text or the cursor may have changed. */
    follow: () => box.current && offers.follow(box.current.value, box.current.selectionStart),
    leave: () => offers.dismiss(),
    /** Returns whether the list handled the key. */
    onKey(event: KeyboardEvent): boolean {
      if (!isOpen) return false;
      const moved = nextIndex(event.key, offers.active.peek(), found.length);
      const isChoosing = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey;
      if (moved !== undefined) offers.active.value = moved;
      else if (isChoosing && offers.active.peek() >= 0) offers.choose(take);
      else if (event.key === 'Escape') offers.dismiss();
      else return false;
      event.preventDefault();
      return true;
    },
    list: isOpen && <OfferList chat={chat} box={box} id={id} take={take} />,
  };
}

interface OfferListProps {
  readonly chat: Chat;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly id: string;
  readonly take: (offer: Offer) => void;
}

function OfferList({ chat: { session, announcer }, box, id, take }: OfferListProps) {
  const { found, active, word } = session.offers;
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => announcer.say(l10n.t('{0} suggestions. Use the arrow keys to choose.', pageNumber(found.peek().length))),
    [announcer, found],
  );
  const start = word.value?.start;
  useLayoutEffect(() => {
    if (list.current && box.current && start !== undefined) putAbove(list.current, box.current, start);
  }, [box, start, found.value]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active.value, found.value]);

  return (
    <div
      class="offers"
      role="listbox"
      id={id}
      aria-label={word.value?.sign === '/' ? l10n.t('Commands') : l10n.t('Context to add')}
      ref={list}
    >
      {found.value.map((offer, index) => (
        <div
          key={offer.id}
          id={`${id}-${index}`}
          class="offer"
          role="option"
          aria-selected={index === active.value}
          title={[offer.detail, offer.name].filter(Boolean).join('/')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <Icon name={icons[offer.kind]} />
          <bdi class="offer-name">{offer.name}</bdi>
          <bdi class="offer-detail">{shortenMiddle(offer.detail, maxDetail)}</bdi>
        </div>
      ))}
    </div>
  );
}

/** Positions the list above the line of the `#`, within the frame of both. */
function putAbove(list: HTMLElement, box: HTMLTextAreaElement, start: number): void {
  const frame = list.offsetParent;
  if (!(frame instanceof HTMLElement)) return;
  const { left, top } = caretPosition(box, start);
  const most = frame.clientWidth - list.offsetWidth - box.offsetLeft;
  list.style.left = `${Math.max(box.offsetLeft, Math.min(box.offsetLeft + left, most))}px`;
  list.style.bottom = `${frame.clientHeight - box.offsetTop - Math.max(0, top) + 2}px`;
}
