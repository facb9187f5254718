import * as l10n from '@vscode/l10n';
import type { ImageRunView } from '../../../src/protocol/images';
import { FailedRow } from '../../components/failedRow';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { Filmstrip, onKey } from './filmstrip';
import type { ImagesSession } from './session';
import { ShownTile } from './shownTile';

/** The newest result or the one chosen, as large as the pane, above a filmstrip of all. */
export function Results({ session }: { readonly session: ImagesSession }) {
  const page = session.page.value;
  const shown = session.shown.value;
  if (!page) return <p class="images-muted">{l10n.t('Loading…')}</p>;
  if (!shown) return <Nothing session={session} />;
  return (
    <div class="images-viewer">
      <div class="images-view" onKeyDown={(event) => onKey(event, session)}>
        <ShownTile session={session} tile={shown.tile} />
      </div>
      <Run session={session} run={session.run.value ?? shown.run} />
      <Filmstrip session={session} />
    </div>
  );
}

function Nothing({ session }: { readonly session: ImagesSession }) {
  return (
    <div class="images-nothing">
      <Icon name="file-media" />
      <p>{l10n.t('No images yet')}</p>
      <p class="images-muted">
        {l10n.t('Enter a prompt to generate an image. Images are saved automatically with their details.')}
      </p>
      <button type="button" class="link" onClick={() => session.act('gallery')}>
        {l10n.t('Open Gallery')}
      </button>
    </div>
  );
}

/** The run of the shown result, or the newest run, with its actions and those for all failed images. */
function Run({ session, run }: { readonly session: ImagesSession; readonly run: ImageRunView }) {
  const { id, prompt, facts, age, cost, status, canStop, canGoOn, canForget } = run;
  const page = session.page.value;
  return (
    <div class="images-run">
      <h2 class="images-run-prompt" dir="auto" title={prompt}>
        {prompt}
      </h2>
      <span class="images-run-facts">
        <span>{facts}</span>
        {cost && <span title={cost.hint}>{cost.text}</span>}
        <span>{age}</span>
      </span>
      {(status !== '' || canStop || canGoOn) && (
        <span class="images-run-status">
          <span>{status}</span>
          {canStop && (
            <button type="button" class="link" onClick={() => void session.ask('images/run', { id, action: 'stop' })}>
              {l10n.t('Stop')}
            </button>
          )}
          {canGoOn && (
            <button type="button" class="link" onClick={() => void session.ask('images/run', { id, action: 'goOn' })}>
              {l10n.t('Continue')}
            </button>
          )}
        </span>
      )}
      {page?.failed !== undefined && (
        <FailedRow
          class="images-run-status"
          count={page.failed}
          canRetry={!page.isNotOffered}
          onAct={(action) => void session.ask('images/failed', { action })}
        />
      )}
      <span class="images-run-end">
        <button type="button" class="link" onClick={() => session.act('gallery')}>
          {l10n.t('Open Gallery')}
        </button>
        {canForget && (
          <IconButton
            icon="close"
            label={l10n.t('Remove from Page (Keep Files)')}
            onClick={() => void session.ask('images/run', { id, action: 'forget' })}
          />
        )}
      </span>
    </div>
  );
}
