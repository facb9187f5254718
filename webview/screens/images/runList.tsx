import { useEffect } from 'preact/hooks';
import type { ImageRunView } from '../../../src/protocol/images';
import { FailedRow } from '../../components/failedRow';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { Images } from './imagesContext';
import { Tile } from './tile';

/** The image requests, newest first. */
export function RunList({ images }: { readonly images: Images }) {
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
        <FailedRow
          class="images-run-status"
          count={page.failed}
          strings={strings}
          onAct={(action) => session.onFailed(action)}
        />
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
