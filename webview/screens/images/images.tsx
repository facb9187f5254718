import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import './images.css';
import './imagesForm.css';
import './imagesResults.css';
import { render } from 'preact';
import type { ImagesScreen, ImageTile } from '../../../src/protocol/images';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { ImagesSession } from './session';
import { Note } from '../../components/note';
import { FormColumn } from './formColumn';
import { IconButton } from '../../components/iconButton';
import { ImageCompare } from '../../components/imageCompare';
import { ImageView } from '../../components/imageView';
import { useEffect, useState } from 'preact/hooks';
import { Results } from './results';

export function mountImages(root: HTMLElement, host: Host<ImagesScreen>): void {
  const page = document.createElement('main');
  page.className = 'images';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ImagesSession(host, (text) => announcer.say(text));
  render(<ImagesView session={session} />, page);
  host.on('images/changed', (changed) => session.show(changed));
  void session.start();
}

function ImagesView({ session }: { readonly session: ImagesSession }) {
  const form = (
    <div key="form" class="images-form-side">
      <FormColumn session={session} />
    </div>
  );
  const results = (
    <section key="results" class="images-results" aria-label={l10n.t('Images')} tabIndex={-1}>
      <Notes session={session} />
      <Results session={session} />
    </section>
  );
  // The order of reading is that of the eye.
  return (
    <>
      {useIsNarrow() ? [results, form] : [form, results]}
      <LargeView session={session} />
    </>
  );
}

/** Whether the page is too narrow for two columns; see `images.css`. */
function useIsNarrow(): boolean {
  const query = matchMedia('(max-width: 700px)');
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const look = () => setNarrow(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}

/** Errors, and notes to read before sending anything. */
function Notes({ session }: { readonly session: ImagesSession }) {
  const page = session.page.value;
  const error = session.error.value;
  const notices = [
    ...(error ? [{ ...error, tone: 'error' as const }] : []),
    ...(page?.modelsError ? [{ ...page.modelsError, tone: 'error' as const }] : []),
    ...(page?.notices ?? []),
  ];
  if (notices.length === 0) return null;
  return (
    <div class="images-notes">
      {notices.map(({ tone, title, detail, actions }, index) => (
        <Note key={index} tone={tone} title={title} detail={detail} actions={actions} onAct={(id) => session.act(id)} />
      ))}
    </div>
  );
}

/** One image as large as the page, or two compared with a slider. */
function LargeView({ session }: { readonly session: ImagesSession }) {
  const tile = session.tile(session.large.value);
  const other = session.tile(session.compared.value);
  if (tile?.uri === undefined) return null;
  const returnFocus = () => document.getElementById('shown-image');
  const onClose = () => session.closeLarge();
  if (other?.uri !== undefined) {
    return (
      <ImageCompare first={comparedOf(tile)} second={comparedOf(other)} onClose={onClose} returnFocus={returnFocus} />
    );
  }
  const all = session.pictures.value;
  const at = all.findIndex(({ id }) => id === tile.id);
  const step = (to: number) => {
    const next = all[to];
    return next && (() => void (session.large.value = next.id));
  };
  return (
    <ImageView
      picture={fileOf(tile)}
      name={tile.prompt}
      place={l10n.t('{0} of {1}', pageNumber(at + 1), pageNumber(all.length))}
      facts={<Facts tile={tile} />}
      actions={<Actions session={session} tile={tile} />}
      onPrevious={step(at - 1)}
      onNext={step(at + 1)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  );
}

function Facts({ tile }: { readonly tile: ImageTile }) {
  const { seed, ...others } = tile;
  const facts = seed === undefined ? factsOf(others) : `${l10n.t('Seed {0}', seed)} · ${factsOf(others)}`;
  return (
    <span class="images-large-facts" dir="auto">
      <span class="few-lines">{tile.prompt}</span>
      <span title={tile.cost?.hint}>{facts}</span>
    </span>
  );
}

function Actions({ session, tile }: { readonly session: ImagesSession; readonly tile: ImageTile }) {
  return (
    <>
      <IconButton icon="copy" label={l10n.t('Copy Image')} onClick={() => void session.copy(tile)} />
      <IconButton
        icon="insert"
        label={l10n.t('Insert at Cursor')}
        onClick={() => void session.ask('images/tile', { id: tile.id, action: 'insert' })}
      />
      <IconButton
        icon="save-as"
        label={l10n.t('Save As…')}
        onClick={() => void session.ask('images/tile', { id: tile.id, action: 'saveAs' })}
      />
      <IconButton
        icon="go-to-file"
        label={l10n.t('Open')}
        onClick={() => void session.ask('images/tile', { id: tile.id, action: 'open' })}
      />
      {tile.seed !== undefined && (
        <IconButton
          icon="pin"
          label={l10n.t('Use This Seed')}
          onClick={() => {
            session.closeLarge();
            session.useSeed(tile);
          }}
        />
      )}
    </>
  );
}

function factsOf({ model, size, seconds, cost }: ImageTile): string {
  return [model, size, seconds, cost?.text].filter(Boolean).join(' · ');
}

function fileOf({ uri = '', prompt, width, height }: ImageTile) {
  return { src: uri, alt: prompt, width, height };
}

function comparedOf({ seed, ...tile }: ImageTile) {
  const name = seed === undefined ? tile.size : l10n.t('Seed {0}', seed);
  return { ...fileOf(tile), name, facts: factsOf(tile) };
}
