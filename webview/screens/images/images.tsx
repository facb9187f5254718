import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../components/pageLanguage';
import './images.css';
import './imagesForm.css';
import './imagesGrid.css';
import { render } from 'preact';
import type { ImagesScreen, ImageTile, ImageRunView } from '../../../src/protocol/images';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { ImagesSession } from './session';
import { Note } from '../../components/note';
import { FormColumn } from './formColumn';
import { IconButton } from '../../components/iconButton';
import { ImageCompare } from '../../components/imageCompare';
import { ImageView } from '../../components/imageView';
import { useEffect } from 'preact/hooks';
import { FailedRow } from '../../components/failedRow';
import { Icon } from '../../components/icon';
import { Tile } from './tile';

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
  return (
    <>
      <div class="images-form-side">
        <FormColumn session={session} />
      </div>
      <section class="images-results" aria-label={l10n.t('Pictures')} tabIndex={-1}>
        <Notes session={session} />
        <RunList session={session} />
      </section>
      <LargeView session={session} />
    </>
  );
}

/** Errors, and notes to read before sending anything. */
function Notes({ session }: { readonly session: ImagesSession }) {
  const page = session.page.value;
  const trouble = session.trouble.value;
  const notices = [
    ...(trouble ? [{ ...trouble, tone: 'error' as const }] : []),
    ...(page?.modelsTrouble ? [{ ...page.modelsTrouble, tone: 'error' as const }] : []),
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
  const returnFocus = () => document.getElementById(`tile-${tile.id}`);
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
      <IconButton icon="copy" label={l10n.t('Copy picture')} onClick={() => void session.copy(tile)} />
      <IconButton
        icon="insert"
        label={l10n.t('Insert at the cursor')}
        onClick={() => session.onTile(tile.id, 'insert')}
      />
      <IconButton icon="save-as" label={l10n.t('Save as…')} onClick={() => session.onTile(tile.id, 'saveAs')} />
      <IconButton
        icon="go-to-file"
        label={l10n.t('Open in the image viewer')}
        onClick={() => session.onTile(tile.id, 'open')}
      />
      {tile.seed !== undefined && (
        <IconButton
          icon="pin"
          label={l10n.t('Use this seed again')}
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

/** The image requests, newest first. */
function RunList({ session }: { readonly session: ImagesSession }) {
  const page = session.page.value;
  const wanted = page?.wanted;
  useEffect(() => {
    if (!wanted) return;
    document.getElementById(`run-${wanted.run}`)?.scrollIntoView({ block: 'start' });
  }, [wanted?.count]);
  if (!page) return <p class="images-muted">{l10n.t('Loading')}</p>;
  if (page.runs.length === 0) return <Nothing session={session} />;
  return (
    <>
      {page.failed !== undefined && (
        <FailedRow
          class="images-run-status"
          count={page.failed}
          canRetry={!page.isNotOffered}
          onAct={(action) => session.onFailed(action)}
        />
      )}
      {page.runs.map((run) => (
        <Run key={run.id} session={session} run={run} />
      ))}
      <p class="images-below">
        {page.hasOlder && (
          <button type="button" class="link" onClick={() => session.older()}>
            {l10n.t('Show earlier ones')}
          </button>
        )}
        <button type="button" class="link" onClick={() => session.act('gallery')}>
          {l10n.t('Show all in the gallery')}
        </button>
      </p>
    </>
  );
}

function Nothing({ session }: { readonly session: ImagesSession }) {
  return (
    <div class="images-nothing">
      <Icon name="file-media" />
      <p>{l10n.t('No pictures yet')}</p>
      <p class="images-muted">
        {l10n.t(
          'Describe one and generate it. Every picture is saved at once, with the recipe it was made by beside it.',
        )}
      </p>
      <button type="button" class="link" onClick={() => session.act('gallery')}>
        {l10n.t('Show all in the gallery')}
      </button>
    </div>
  );
}

function Run({ session, run }: { readonly session: ImagesSession; readonly run: ImageRunView }) {
  const { id, prompt, facts, age, status, trouble, cost, canStop, canGoOn, canForget, tiles } = run;
  return (
    <article class="images-run" id={`run-${id}`} aria-label={prompt}>
      <header class="images-run-head">
        <h2 class="images-run-prompt few-lines" dir="auto" title={prompt}>
          {prompt}
        </h2>
        {canForget && (
          <IconButton
            icon="close"
            label={l10n.t('Take off this page (files stay)')}
            onClick={() => session.onRun(id, 'forget')}
          />
        )}
        <p class="images-run-facts">
          <span>{facts}</span>
          {cost && <span title={cost.hint}>{cost.text}</span>}
          <span>{age}</span>
        </p>
        {(status !== '' || canStop || canGoOn) && (
          <p class="images-run-status">
            <span>{status}</span>
            {canStop && (
              <button type="button" class="link" onClick={() => session.onRun(id, 'stop')}>
                {l10n.t('Stop')}
              </button>
            )}
            {canGoOn && (
              <button type="button" class="link" onClick={() => session.onRun(id, 'goOn')}>
                {l10n.t('Continue')}
              </button>
            )}
          </p>
        )}
        {trouble && (
          <p class="images-run-trouble" dir="auto">
            <Icon name="warning" /> <strong>{trouble.title}.</strong> {trouble.detail}
          </p>
        )}
      </header>
      <ul class="images-grid">
        {tiles.map((tile) => (
          <Tile key={tile.id} session={session} tile={tile} />
        ))}
      </ul>
    </article>
  );
}
