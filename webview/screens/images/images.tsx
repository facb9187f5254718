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
import type { Images } from './imagesContext';
import { fill } from '../../components/fill';
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
  render(<ImagesView images={{ session, strings: host.strings }} />, page);
  host.on('images/changed', (changed) => session.show(changed));
  void session.start();
}

function ImagesView({ images }: { readonly images: Images }) {
  return (
    <>
      <div class="images-form-side">
        <FormColumn images={images} />
      </div>
      <section class="images-results" aria-label={images.strings.results} tabIndex={-1}>
        <Notes images={images} />
        <RunList images={images} />
      </section>
      <LargeView images={images} />
    </>
  );
}

/** Errors, and notes to read before sending anything. */
function Notes({ images: { session } }: { readonly images: Images }) {
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
function LargeView({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const tile = session.tile(session.large.value);
  const other = session.tile(session.compared.value);
  if (tile?.uri === undefined) return null;
  const returnFocus = () => document.getElementById(`tile-${tile.id}`);
  const onClose = () => session.closeLarge();
  if (other?.uri !== undefined) {
    return (
      <ImageCompare
        first={comparedOf(images, tile)}
        second={comparedOf(images, other)}
        onClose={onClose}
        returnFocus={returnFocus}
      />
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
      place={fill(strings.place, at + 1, all.length)}
      facts={<Facts images={images} tile={tile} />}
      actions={<Actions images={images} tile={tile} />}
      onPrevious={step(at - 1)}
      onNext={step(at + 1)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  );
}

function Facts({ images: { strings }, tile }: { readonly images: Images; readonly tile: ImageTile }) {
  const { seed, ...others } = tile;
  const facts = seed === undefined ? factsOf(others) : `${fill(strings.seedFact, seed)} · ${factsOf(others)}`;
  return (
    <span class="images-large-facts" dir="auto">
      <span class="few-lines">{tile.prompt}</span>
      <span title={tile.cost?.hint}>{facts}</span>
    </span>
  );
}

function Actions({ images: { session, strings }, tile }: { readonly images: Images; readonly tile: ImageTile }) {
  return (
    <>
      <IconButton icon="copy" label={strings.copy} onClick={() => void session.copy(tile)} />
      <IconButton icon="insert" label={strings.insert} onClick={() => session.onTile(tile.id, 'insert')} />
      <IconButton icon="save-as" label={strings.saveAs} onClick={() => session.onTile(tile.id, 'saveAs')} />
      <IconButton icon="go-to-file" label={strings.open} onClick={() => session.onTile(tile.id, 'open')} />
      {tile.seed !== undefined && (
        <IconButton
          icon="pin"
          label={strings.useSeed}
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

function comparedOf({ strings }: Images, { seed, ...tile }: ImageTile) {
  const name = seed === undefined ? tile.size : fill(strings.seedFact, seed);
  return { ...fileOf(tile), name, facts: factsOf(tile) };
}

/** The image requests, newest first. */
function RunList({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const page = session.page.value;
  const wanted = page?.wanted;
  useEffect(() => {
    if (!wanted) return;
    document.getElementById(`run-${wanted.run}`)?.scrollIntoView({ block: 'start' });
  }, [wanted?.count]);
  if (!page) return <p class="images-muted">{strings.loading}</p>;
  if (page.runs.length === 0) return <Nothing images={images} />;
  return (
    <>
      {page.failed !== undefined && (
        <FailedRow class="images-run-status" count={page.failed} onAct={(action) => session.onFailed(action)} />
      )}
      {page.runs.map((run) => (
        <Run key={run.id} images={images} run={run} />
      ))}
      <p class="images-below">
        {page.hasOlder && (
          <button type="button" class="link" onClick={() => session.older()}>
            {strings.older}
          </button>
        )}
        <button type="button" class="link" onClick={() => session.act('gallery')}>
          {strings.gallery}
        </button>
      </p>
    </>
  );
}

function Nothing({ images: { session, strings } }: { readonly images: Images }) {
  return (
    <div class="images-nothing">
      <Icon name="file-media" />
      <p>{strings.nothing}</p>
      <p class="images-muted">{strings.nothingDetail}</p>
      <button type="button" class="link" onClick={() => session.act('gallery')}>
        {strings.gallery}
      </button>
    </div>
  );
}

function Run({ images, run }: { readonly images: Images; readonly run: ImageRunView }) {
  const { session, strings } = images;
  const { id, prompt, facts, age, status, trouble, canStop, canGoOn, canForget, tiles } = run;
  return (
    <article class="images-run" id={`run-${id}`} aria-label={prompt}>
      <header class="images-run-head">
        <h2 class="images-run-prompt few-lines" dir="auto" title={prompt}>
          {prompt}
        </h2>
        {canForget && <IconButton icon="close" label={strings.forgetRun} onClick={() => session.onRun(id, 'forget')} />}
        <p class="images-run-facts">
          <span>{facts}</span>
          <span>{age}</span>
        </p>
        {(status !== '' || canStop || canGoOn) && (
          <p class="images-run-status">
            <span>{status}</span>
            {canStop && (
              <button type="button" class="link" onClick={() => session.onRun(id, 'stop')}>
                {strings.stop}
              </button>
            )}
            {canGoOn && (
              <button type="button" class="link" onClick={() => session.onRun(id, 'goOn')}>
                {strings.goOn}
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
          <Tile key={tile.id} images={images} tile={tile} />
        ))}
      </ul>
    </article>
  );
}
