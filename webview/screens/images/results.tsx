import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ImageRunView, ImageTile, TileState, TileAction } from '../../../src/protocol/images';
import { FailedRow } from '../../components/failedRow';
import { Icon } from '../../components/icon';
import { IconButton, MoreButton } from '../../components/iconButton';
import type { IconName } from '../../components/iconNames';
import { createMenus } from '../../components/menu';
import type { MenuItem } from '../../components/menu';
import { ignoreHeldEnter, isFirstClick } from '../../components/sendOnce';
import type { ImagesSession } from './session';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { dragFile } from '../../components/dragFile';
import { isMoving } from './strip';
import type { StripItem } from './strip';

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
      <p class="images-muted">{l10n.t('Enter a prompt. Images are saved automatically.')}</p>
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
          retryLabel={page.retryFailed}
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

/** Thumbnails of all results. The selected one is shown large. */
function Filmstrip({ session }: { readonly session: ImagesSession }) {
  const list = useRef<HTMLUListElement>(null);
  const shown = session.shown.value?.tile.id;
  useLayoutEffect(() => {
    const { current } = list;
    const thumbnail = current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (current && thumbnail) scrollTo(current, thumbnail);
  }, [shown]);
  return (
    <div class="images-strip">
      {session.hasNewer.value && (
        <button
          type="button"
          class="images-newer"
          title={l10n.t('Show Newest Image')}
          aria-label={l10n.t('Show Newest Image')}
          onClick={() => session.chooseNewest()}
        />
      )}
      <ul
        ref={list}
        class="images-thumbs"
        role="listbox"
        aria-orientation="horizontal"
        aria-label={l10n.t('Filmstrip')}
        onKeyDown={(event) => onKey(event, session)}
      >
        {session.strip.value.map((item) => (
          <Thumbnail key={item.tile.id} session={session} item={item} isShown={item.tile.id === shown} />
        ))}
      </ul>
      {session.page.value?.hasOlder && (
        <button type="button" class="link images-older" onClick={() => void session.ask('images/older', {})}>
          {l10n.t('Show Earlier Images')}
        </button>
      )}
    </div>
  );
}

interface ThumbnailProps {
  readonly session: ImagesSession;
  readonly item: StripItem;
  readonly isShown: boolean;
}

function Thumbnail({ session, item: { tile, isFirst }, isShown }: ThumbnailProps) {
  const seed = tile.seed === undefined ? '' : l10n.t('Seed {0}', tile.seed);
  const name = [tile.title, tile.varied ?? tile.prompt.slice(0, 200), seed].filter(Boolean).join(' · ');
  return (
    <li
      class="images-thumb"
      id={thumbnailId(tile.id)}
      role="option"
      aria-selected={isShown}
      aria-label={name}
      title={name}
      tabIndex={isShown ? 0 : -1}
      data-state={tile.state}
      data-first={isFirst}
      data-moving={isMoving(tile)}
      data-compared={session.comparing.value === tile.id}
      draggable={tile.uri !== undefined}
      onDragStart={(event) => dragFile(event, tile.uri)}
      onClick={() => open(session, tile, isComparing(session, tile))}
      onDblClick={() => open(session, tile, true)}
      onContextMenu={(event) => {
        if (tile.uri === undefined) return;
        event.preventDefault();
        openTileMenu(event.currentTarget, { session, tile, at: event });
      }}
    >
      {tile.uri === undefined ? (
        <Icon name={stateIcons[tile.state]} />
      ) : (
        <img src={tile.uri} alt="" loading="lazy" decoding="async" draggable={false} />
      )}
    </li>
  );
}

const thumbnailId = (tile: string) => `thumbnail-${tile}`;

function isComparing(session: ImagesSession, tile: ImageTile): boolean {
  const first = session.comparing.peek();
  return first !== undefined && first !== tile.id;
}

/** Shows a result in the pane; if `isOpened`, an image fills the page, or is compared with the first one chosen. */
function open(session: ImagesSession, tile: ImageTile, isOpened: boolean): void {
  if (!isOpened || tile.uri === undefined) session.choose(tile.id);
  else if (isComparing(session, tile)) session.compare(tile.id);
  else session.large.value = tile.id;
}

/** Arrow keys, Home and End show another result, from the filmstrip and from the image. */
function onKey(event: KeyboardEvent, session: ImagesSession): void {
  const { key, target } = event;
  const strip = session.strip.peek();
  const at = strip.findIndex(({ tile }) => tile.id === session.shown.peek()?.tile.id);
  const isInStrip = target instanceof HTMLElement && target.role === 'option';
  if (isInStrip && (key === 'Enter' || key === ' ') && strip[at]) {
    event.preventDefault();
    return open(session, strip[at].tile, true);
  }
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: strip.length - 1,
  };
  const next = strip[moves[key] ?? -1];
  if (!next || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  session.choose(next.tile.id);
  if (isInStrip) document.getElementById(thumbnailId(next.tile.id))?.focus({ preventScroll: true });
}

/** Scrolls the list alone, not the page around it. */
function scrollTo(list: HTMLElement, thumbnail: HTMLElement): void {
  const spare = 8;
  const start = thumbnail.offsetLeft - spare;
  const end = thumbnail.offsetLeft + thumbnail.offsetWidth + spare;
  if (start < list.scrollLeft) list.scrollLeft = start;
  else if (end > list.scrollLeft + list.clientWidth) list.scrollLeft = end - list.clientWidth;
}

interface TileProps {
  readonly session: ImagesSession;
  readonly tile: ImageTile;
}

/** One result, as large as its pane: the image with its actions, or else its progress or problem. */
function ShownTile({ session, tile }: TileProps) {
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

/** Opens the menu with all actions on an image, at the pointer if there is one. */
function openTileMenu(
  opener: HTMLElement,
  { session, tile, at }: { readonly session: ImagesSession; readonly tile: ImageTile; readonly at?: MouseEvent },
): void {
  createMenus(opener.closest('main') ?? document.body)(opener, tileMenu(session, tile), at);
}

function tileMenu(session: ImagesSession, tile: ImageTile): readonly MenuItem[] {
  const act = (label: string, action: TileAction): MenuItem => ({
    label,
    run: () => void session.ask('images/tile', { id: tile.id, action }),
  });
  const comparing = session.comparing.peek();
  const compare =
    comparing === undefined
      ? l10n.t('Compare with Image…')
      : comparing === tile.id
        ? l10n.t('Cancel Comparison')
        : l10n.t('Compare with Selected Image');
  return [
    { label: l10n.t('Copy Image'), run: () => void session.copy(tile) },
    act(l10n.t('Copy Path'), 'copyPath'),
    act(l10n.t('Insert at Cursor'), 'insert'),
    act(l10n.t('Save As…'), 'saveAs'),
    act(l10n.t('Open'), 'open'),
    act(l10n.t('Open Containing Folder'), 'reveal'),
    { label: compare, run: () => session.compare(tile.id) },
    ...(tile.seed === undefined ? [] : [{ label: l10n.t('Use This Seed'), run: () => session.useSeed(tile) }]),
    act(l10n.t('Vary'), 'vary'),
    act(l10n.t('Edit Image…'), 'edit'),
    act(l10n.t('Use as First Frame'), 'useAsFirstFrame'),
    act(tile.regenerate ?? l10n.t('Regenerate'), 'regenerate'),
    act(l10n.t('Show Details'), 'showRecipe'),
    act(l10n.t('Delete…'), 'remove'),
  ];
}
