import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ImageTile, TileState } from '../../../src/protocol/images';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { dragFile } from '../../components/dragFile';
import { createMenus, type MenuItem } from '../../components/menu';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { Images } from './imagesContext';

interface TileProps {
  readonly images: Images;
  readonly tile: ImageTile;
}

export function Tile({ images, tile }: TileProps) {
  const { session, strings } = images;
  const { state, width, height, uri, varied, size, seed, seconds, cost } = tile;
  const facts = [seed === undefined ? '' : fill(strings.seedFact, seed), size, seconds, cost?.text].filter(Boolean);
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
        {uri === undefined ? <Coming images={images} tile={tile} /> : <Shown images={images} tile={tile} />}
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
function Shown({ images, tile }: TileProps) {
  const { session, strings } = images;
  const more = useRef<HTMLSpanElement>(null);
  const isBroken = useSignal(false);
  const openMenu = (at: MouseEvent) => {
    const button = more.current?.querySelector<HTMLElement>('button');
    if (button) openTileMenu(button, { images, tile, at });
  };
  const comparing = session.comparing.value;
  const isSecond = comparing !== undefined && comparing !== tile.id;
  const name = fill(isSecond ? strings.compareWithThis : strings.openLarge, tile.prompt.slice(0, 200));
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
        <IconButton icon="copy" label={strings.copy} onClick={() => void session.copy(tile)} />
        {tile.seed !== undefined && (
          <IconButton icon="pin" label={strings.useSeed} onClick={() => session.useSeed(tile)} />
        )}
        <IconButton icon="insert" label={strings.insert} onClick={() => session.onTile(tile.id, 'insert')} />
        <span ref={more}>
          <MoreButton images={images} tile={tile} />
        </span>
      </div>
    </div>
  );
}

function MoreButton({ images, tile }: TileProps) {
  return (
    <button
      type="button"
      class="icon-button"
      title={images.strings.moreActions}
      aria-label={images.strings.moreActions}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={({ currentTarget }) => openTileMenu(currentTarget, { images, tile })}
    >
      <Icon name="ellipsis" />
    </button>
  );
}

function openTileMenu(button: HTMLElement, { images, tile, at }: TileProps & { readonly at?: MouseEvent }): void {
  createMenus(button.closest('main') ?? document.body)(button, tileMenu(images, tile), at);
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
function Coming({ images: { session }, tile }: TileProps) {
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
function tileMenu({ session, strings }: Images, tile: ImageTile): readonly MenuItem[] {
  const act = (label: string, action: Parameters<typeof session.onTile>[1]): MenuItem => ({
    label,
    run: () => session.onTile(tile.id, action),
  });
  const comparing = session.comparing.peek();
  const compare =
    comparing === undefined ? strings.compare : comparing === tile.id ? strings.compareStop : strings.compareWithFirst;
  return [
    { label: strings.copy, run: () => void session.copy(tile) },
    act(strings.copyPath, 'copyPath'),
    act(strings.insert, 'insert'),
    act(strings.saveAs, 'saveAs'),
    act(strings.open, 'open'),
    act(strings.reveal, 'reveal'),
    { label: compare, run: () => session.compare(tile.id) },
    ...(tile.seed === undefined ? [] : [{ label: strings.useSeed, run: () => session.useSeed(tile) }]),
    act(strings.vary, 'vary'),
    act(strings.regenerate, 'regenerate'),
    act(strings.showRecipe, 'showRecipe'),
    act(strings.remove, 'remove'),
  ];
}
