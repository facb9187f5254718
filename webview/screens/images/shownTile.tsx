import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { ImageTile, TileState } from '../../../src/protocol/images';
import { dragFile } from '../../components/dragFile';
import { Icon } from '../../components/icon';
import { IconButton, MoreButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { ImagesSession } from './session';
import { isMoving } from './strip';
import { openTileMenu } from './tileMenu';

interface TileProps {
  readonly session: ImagesSession;
  readonly tile: ImageTile;
}

/** One result, as large as its pane: the image with its actions, or else its progress or problem. */
export function ShownTile({ session, tile }: TileProps) {
  return (
    <div class="images-shown" data-state={tile.state}>
      <div class="images-stage">
        {tile.uri === undefined ? (
          <Coming key={tile.id} session={session} tile={tile} />
        ) : (
          <Picture session={session} tile={tile} />
        )}
      </div>
      <Facts session={session} tile={tile} />
      {tile.uri !== undefined && <Actions session={session} tile={tile} />}
    </div>
  );
}

/** Stays the same element for each image, so that it keeps the focus. */
function Picture({ session, tile }: TileProps) {
  const broken = useSignal<string | undefined>(undefined);
  const comparing = session.comparing.value;
  const isSecond = comparing !== undefined && comparing !== tile.id;
  const name = isSecond
    ? l10n.t('Compare with this image: {0}', tile.prompt.slice(0, 200))
    : l10n.t('View larger: {0}', tile.prompt.slice(0, 200));
  return (
    <button
      type="button"
      class="images-open"
      id="shown-image"
      aria-label={name}
      title={tile.prompt}
      draggable
      onDragStart={(event) => dragFile(event, tile.uri)}
      onClick={() => (isSecond ? session.compare(tile.id) : (session.large.value = tile.id))}
      onContextMenu={(event) => {
        event.preventDefault();
        openTileMenu(event.currentTarget, { session, tile, at: event });
      }}
    >
      {broken.value === tile.uri ? (
        <span class="images-state">
          <Icon name="warning" /> {l10n.t("Can't be displayed")}
        </span>
      ) : (
        <img
          src={tile.uri}
          alt=""
          draggable={false}
          style={{ '--images-ratio': String(tile.width / tile.height) }}
          onError={() => (broken.value = tile.uri)}
        />
      )}
    </button>
  );
}

/** The result's facts, the outcome of the last action, or a prompt to choose a second image. */
function Facts({ session, tile }: TileProps) {
  const { varied, size, seed, seconds, cost } = tile;
  const facts = [seed === undefined ? '' : l10n.t('Seed {0}', seed), size, seconds, cost?.text].filter(Boolean);
  const done = session.copied.value?.tile === tile.id ? session.copied.value.text : undefined;
  if (session.comparing.value !== undefined) {
    return (
      <span class="images-facts">
        <span>{l10n.t('Choose an image to compare with.')}</span>
        <button type="button" class="link" onClick={() => (session.comparing.value = undefined)}>
          {l10n.t('Cancel')}
        </button>
      </span>
    );
  }
  return (
    <span
      class="images-facts"
      dir="auto"
      title={[tile.model, varied, facts.join(' · '), cost?.hint, tile.at].filter(Boolean).join('\n')}
    >
      {done === undefined && varied !== undefined && <strong class="images-varied">{varied}</strong>}
      <span class="images-facts-words">{done ?? facts.join(' · ')}</span>
    </span>
  );
}

function Actions({ session, tile }: TileProps) {
  return (
    <div class="images-actions" role="group" aria-label={l10n.t('Actions')}>
      <IconButton
        icon="insert"
        label={l10n.t('Insert at Cursor')}
        onClick={() => void session.ask('images/tile', { id: tile.id, action: 'insert' })}
      />
      <IconButton icon="copy" label={l10n.t('Copy Image')} onClick={() => void session.copy(tile)} />
      <IconButton
        icon="save-as"
        label={l10n.t('Save As…')}
        onClick={() => void session.ask('images/tile', { id: tile.id, action: 'saveAs' })}
      />
      {tile.seed !== undefined && (
        <IconButton icon="pin" label={l10n.t('Use This Seed')} onClick={() => session.useSeed(tile)} />
      )}
      <MoreButton onOpen={(button) => openTileMenu(button, { session, tile })} />
    </div>
  );
}

export const stateIcons: Readonly<Record<TileState, IconName>> = {
  waiting: 'clock',
  sending: 'cloud-upload',
  saving: 'cloud-download',
  shown: 'file-media',
  failed: 'error',
  lost: 'question',
  notSaved: 'warning',
  notSent: 'debug-pause',
  gone: 'circle-slash',
};

/** The placeholder of an image that is pending or failed. */
function Coming({ session, tile }: TileProps) {
  const { id, title, detail, actions } = tile;
  return (
    <div
      class="images-state"
      data-state={tile.state}
      data-moving={isMoving(tile)}
      tabIndex={detail === '' ? undefined : 0}
    >
      <Icon name={stateIcons[tile.state]} />
      <span class="images-state-title">{title}</span>
      {detail !== '' && (
        <span class="images-state-detail" dir="auto">
          {detail}
        </span>
      )}
      {actions.length > 0 && (
        <span class="images-state-steps">
          {actions.map((action) => (
            <button
              type="button"
              class="link"
              key={action.id}
              onKeyDown={ignoreHeldEnter}
              onClick={(event) => isFirstClick(event) && void session.ask('images/step', { id, action: action.id })}
            >
              {action.label}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}
