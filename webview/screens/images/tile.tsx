import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ImageTile, TileState } from '../../../src/protocol/images';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { dragFile } from '../../components/dragFile';
import { createMenus, type MenuItem } from '../../components/menu';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { ImagesSession } from './session';

interface TileProps {
  readonly session: ImagesSession;
  readonly tile: ImageTile;
}

export function Tile({ session, tile }: TileProps) {
  const { state, width, height, uri, varied, size, seed, seconds, cost } = tile;
  const facts = [seed === undefined ? '' : l10n.t('Seed {0}', seed), size, seconds, cost?.text].filter(Boolean);
  const done = session.done.value?.tile === tile.id ? session.done.value.text : undefined;
  const isFirst = session.comparing.value === tile.id;
  return (
    <li
      class="images-tile"
      data-state={state}
      data-compared={isFirst}
      style={{ '--images-ratio': String(width / height) }}
    >
      <div class="images-tile-room">
        {uri === undefined ? <Coming session={session} tile={tile} /> : <Shown session={session} tile={tile} />}
      </div>
      <span
        class="images-tile-facts"
        title={[tile.model, varied, facts.join(' · '), cost?.hint].filter(Boolean).join('\n')}
      >
        {done === undefined && varied !== undefined && (
          <strong class="images-tile-varied few-lines" dir="auto">
            {varied}
          </strong>
        )}
        {done ?? facts.join(' · ')}
      </span>
    </li>
  );
}

/** An existing image and its actions. */
function Shown({ session, tile }: TileProps) {
  const more = useRef<HTMLSpanElement>(null);
  const isBroken = useSignal(false);
  const openMenu = (at: MouseEvent) => {
    const button = more.current?.querySelector<HTMLElement>('button');
    if (button) openTileMenu(button, { session, tile, at });
  };
  const comparing = session.comparing.value;
  const isSecond = comparing !== undefined && comparing !== tile.id;
  const name = isSecond
    ? l10n.t('Compare with this one: {0}', tile.prompt.slice(0, 200))
    : l10n.t('Look at it large: {0}', tile.prompt.slice(0, 200));
  return (
    <div
      class="images-picture"
      draggable
      onDragStart={(event) => dragFile(event, tile.uri)}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu(event);
      }}
    >
      <button
        type="button"
        class="images-picture-open"
        id={`tile-${tile.id}`}
        aria-label={name}
        title={tile.prompt}
        onClick={() => (isSecond ? session.compare(tile.id) : (session.large.value = tile.id))}
      >
        {isBroken.value ? (
          <span class="images-tile-words">
            <Icon name="warning" /> {l10n.t('Cannot be shown')}
          </span>
        ) : (
          <img src={tile.uri} alt="" loading="lazy" draggable={false} onError={() => (isBroken.value = true)} />
        )}
      </button>
      <div class="images-tile-actions">
        <IconButton icon="copy" label={l10n.t('Copy picture')} onClick={() => void session.copy(tile)} />
        {tile.seed !== undefined && (
          <IconButton icon="pin" label={l10n.t('Use this seed again')} onClick={() => session.useSeed(tile)} />
        )}
        <IconButton
          icon="insert"
          label={l10n.t('Insert at the cursor')}
          onClick={() => session.onTile(tile.id, 'insert')}
        />
        <span ref={more}>
          <MoreButton session={session} tile={tile} />
        </span>
      </div>
    </div>
  );
}

function MoreButton({ session, tile }: TileProps) {
  return (
    <button
      type="button"
      class="icon-button"
      title={l10n.t('More actions')}
      aria-label={l10n.t('More actions')}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ currentTarget }) => openTileMenu(currentTarget, { session, tile })}
    >
      <Icon name="ellipsis" />
    </button>
  );
}

function openTileMenu(button: HTMLElement, { session, tile, at }: TileProps & { readonly at?: MouseEvent }): void {
  createMenus(button.closest('main') ?? document.body)(button, tileMenu(session, tile), at);
}

const stateIcons: Readonly<Record<TileState, IconName>> = {
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
  const { id, state, title, detail, actions } = tile;
  const isMoving = state === 'sending' || state === 'saving';
  return (
    <div class="images-tile-words" data-moving={isMoving} tabIndex={detail === '' ? undefined : 0}>
      <span class="images-tile-state">
        <Icon name={stateIcons[state]} /> {title}
      </span>
      {detail !== '' && (
        <span class="images-tile-detail" dir="auto">
          {detail}
        </span>
      )}
      {actions.length > 0 && (
        <span class="images-tile-steps">
          {actions.map((action) => (
            <button
              type="button"
              class="link"
              key={action.id}
              onKeyDown={ignoreHeldEnter}
              onClick={(event) => isFirstClick(event) && session.onStep(id, action.id)}
            >
              {action.label}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}

/** Returns all actions on an image. */
function tileMenu(session: ImagesSession, tile: ImageTile): readonly MenuItem[] {
  const act = (label: string, action: Parameters<typeof session.onTile>[1]): MenuItem => ({
    label,
    run: () => session.onTile(tile.id, action),
  });
  const comparing = session.comparing.peek();
  const compare =
    comparing === undefined
      ? l10n.t('Compare with another…')
      : comparing === tile.id
        ? l10n.t('Do not compare')
        : l10n.t('Compare with the marked one');
  return [
    { label: l10n.t('Copy picture'), run: () => void session.copy(tile) },
    act(l10n.t('Copy path'), 'copyPath'),
    act(l10n.t('Insert at the cursor'), 'insert'),
    act(l10n.t('Save as…'), 'saveAs'),
    act(l10n.t('Open in the image viewer'), 'open'),
    act(l10n.t('Show in the file manager'), 'reveal'),
    { label: compare, run: () => session.compare(tile.id) },
    ...(tile.seed === undefined ? [] : [{ label: l10n.t('Use this seed again'), run: () => session.useSeed(tile) }]),
    act(l10n.t('Vary'), 'vary'),
    act(l10n.t('Edit This Image'), 'edit'),
    act(l10n.t('Use as First Frame'), 'useAsFirstFrame'),
    act(l10n.t('Generate again'), 'regenerate'),
    act(l10n.t('Show recipe'), 'showRecipe'),
    act(l10n.t('Delete…'), 'remove'),
  ];
}
