import './offerList.css';
import * as l10n from '@vscode/l10n';
import { Fragment, type RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat } from './chatContext';
import type { Draft } from './draft';
import { shortenMiddle } from './modelNames';
import { pageNumber } from '../../components/pageLanguage';
import type { Offer } from '../../../src/protocol/chatOffers';
import { offerIcons } from '../../../src/protocol/offerIcons';
import { Icon } from '../../components/icon';
import { nextIndex } from '../../components/pickerItems';
import { withoutWord } from './mention';

/** Maximum length in characters of a path, of which both ends are shown. */
const maxPath = 40;
/** What they do is a sentence. */
const isSentence = ({ kind }: Offer): boolean => kind === 'task' || kind === 'command';

/** Opens a list of possible attachments when `#` is typed in the question box, and of commands for `/`. The box keeps the focus. */
export function useOffers(chat: Chat, box: RefObject<HTMLTextAreaElement | null>) {
  const { offers, draft } = chat.session;
  const id = useId();
  const found = offers.found.value;
  const isOpen = found.length > 0;

  const write = (text: string, cursor: number) => writeInto(box.current, draft, text, cursor);
  const take = (offer: Offer) => takeOffer(chat, box.current, offer);
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
    /** Opens the list of context at the cursor, as if `#` was typed. */
    open: () => {
      const field = box.current;
      if (!field) return;
      field.focus();
      const before = field.value.slice(0, field.selectionStart);
      const sign = /\S$/u.test(before) ? ' #' : '#';
      write(`${before}${sign}${field.value.slice(field.selectionEnd)}`, before.length + sign.length);
      offers.follow(field.value, field.selectionStart);
    },
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
    list: isOpen && <OfferList chat={chat} id={id} take={take} />,
  };
}

/** Removes the word from the box, and attaches its completion or writes the text of the command. */
function takeOffer({ session }: Chat, field: HTMLTextAreaElement | null, offer: Offer): void {
  const { offers, draft, comparing } = session;
  const word = offers.word.peek();
  const [typed, cursor] = [field?.value ?? '', field?.selectionStart ?? 0];
  const rest = word ? withoutWord(typed, word) : undefined;
  if (rest) writeInto(field, draft, rest.text, rest.cursor);
  void offers.take(offer).then((taken) => {
    // Text typed since is kept, and the word is restored only if nothing was typed.
    if (!taken && field?.value === rest?.text) return writeInto(field, draft, typed, cursor);
    if (taken?.opens === 'compare') comparing.open.value = true;
    if (taken?.text === undefined || !field) return;
    const at = Math.min(word?.start ?? 0, field.value.length);
    const after = field.value.slice(at);
    const space = after === '' || /^\s/.test(after) ? '' : ' ';
    writeInto(field, draft, `${field.value.slice(0, at)}${taken.text}${space}${after}`, at + taken.text.length);
  });
}

function writeInto(field: HTMLTextAreaElement | null, draft: Draft, text: string, cursor: number): void {
  if (!field) return;
  field.value = text;
  field.setSelectionRange(cursor, cursor);
  draft.set(text);
}

interface OfferListProps {
  readonly chat: Chat;
  readonly id: string;
  readonly take: (offer: Offer) => void;
}

function OfferList({ chat: { session, announcer }, id, take }: OfferListProps) {
  const { found, active, word } = session.offers;
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => announcer.say(l10n.t('{0} suggestions. Use the arrow keys to choose.', pageNumber(found.peek().length))),
    [announcer, found],
  );
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active.value, found.value]);
  const isCommand = word.value?.sign === '/';

  return (
    <div class="offers">
      <div
        class="offers-rows"
        role="listbox"
        id={id}
        aria-label={isCommand ? l10n.t('Commands') : l10n.t('Context to add')}
        ref={list}
      >
        {found.value.map((offer, index) => (
          <Fragment key={offer.id}>
            {offer.group !== found.value[index - 1]?.group && (
              <div class="offers-group" role="presentation">
                {offer.group}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              class="offer"
              role="option"
              aria-selected={index === active.value}
              title={[offer.detail, offer.name].filter(Boolean).join('/')}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(offer)}
            >
              <Icon name={offerIcons[offer.kind]} />
              <bdi class="offer-name">
                <Matched text={`${isCommand ? '/' : ''}${offer.name}`} query={word.value?.query ?? ''} />
              </bdi>
              <bdi class="offer-detail">{isSentence(offer) ? offer.detail : shortenMiddle(offer.detail, maxPath)}</bdi>
            </div>
          </Fragment>
        ))}
      </div>
      <div class="offers-keys" aria-hidden="true">
        <span>
          <kbd>{l10n.t('Enter')}</kbd> {isCommand ? l10n.t('Run') : l10n.t('Attach')}
        </span>
        <span>
          <kbd>{l10n.t('Esc')}</kbd> {l10n.t('Close')}
        </span>
      </div>
    </div>
  );
}

/** Text with the part that was typed highlighted. */
function Matched({ text, query }: { readonly text: string; readonly query: string }) {
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, at + query.length)}</b>
      {text.slice(at + query.length)}
    </>
  );
}
