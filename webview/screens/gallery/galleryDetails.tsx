import * as l10n from '@vscode/l10n';
import './galleryDetails.css';
import { useRef, useState } from 'preact/hooks';
import type { GalleryAction, GalleryDetails } from '../../../src/protocol/gallery';
import { DetailsPane } from '../../components/detailsPane';
import { Pairs, Texts } from '../../components/detailsParts';
import { Icon } from '../../components/icon';
import { IconButton, MoreButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { pngOf } from '../../components/videoFrame';
import { actionIcons, actionLabel, openActions } from './actionMenu';
import type { GallerySession } from './session';

interface PartProps {
  readonly session: GallerySession;
  readonly details: GalleryDetails;
}

/** The actions shown as buttons. All of them are in the menu next to them. */
const seen: readonly GalleryAction[] = ['regenerate', 'vary', 'insert', 'saveAs'];

/** The selected item and its complete recipe. */
export function GalleryDetailsPane({ session }: { readonly session: GallerySession }) {
  const details = session.details.value;
  if (!details) return null;
  const { name, texts, parameters, earlier } = details;
  const kinds = { image: l10n.t('Image'), video: l10n.t('Video'), speech: l10n.t('Speech') };
  return (
    <DetailsPane
      label={l10n.t('Details')}
      row={session.active.value ?? -1}
      class="gallery-details"
      head={
        <h2 class="details-title details-id-title" title={name}>
          {kinds[details.kind]} <span class="gallery-name">{name}</span>
        </h2>
      }
      close={l10n.t('Close (Escape)')}
      onClose={() => session.closeDetails()}
    >
      <Seen session={session} details={details} />
      <Actions session={session} details={details} />
      <Texts texts={texts} />
      <Facts session={session} details={details} />
      <Pairs title={l10n.t('Request parameters')} pairs={parameters} />
      <Inputs session={session} details={details} />
      {earlier.length > 0 && (
        <section class="details-message">
          <h3 class="details-role">{l10n.t('Earlier requests that returned the same result')}</h3>
          <ul class="gallery-earlier">
            {earlier.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </DetailsPane>
  );
}

function Seen({ session, details }: PartProps) {
  const { kind, src, label, isGone, width, height } = details;
  const [brokenSrc, setBroken] = useState<string>();
  if (isGone)
    return (
      <Note
        tone="warning"
        title={l10n.t('The file no longer exists')}
        detail={l10n.t('The file has been moved or deleted. Its details are still available.')}
        actions={[]}
        onAct={() => {}}
      />
    );
  if (kind !== 'image') return <Player session={session} details={details} />;
  if (brokenSrc === src)
    return (
      <p class="details-note">
        <Icon name="warning" /> {l10n.t("Can't be displayed")}
      </p>
    );
  return (
    <button
      type="button"
      class="gallery-preview"
      title={l10n.t('View larger (Enter)')}
      aria-label={l10n.t('View larger (Enter)')}
      onClick={() => void session.viewLarge()}
    >
      <img
        src={src}
        alt={label}
        draggable={false}
        onError={() => setBroken(src)}
        {...(width && height ? { width, height } : {})}
      />
    </button>
  );
}

function Actions({ session, details }: PartProps) {
  const { id, actions } = details;
  return (
    <div class="gallery-actions">
      {actions
        .filter((action) => seen.includes(action))
        .map((action) => (
          <button
            type="button"
            class="bar-button"
            key={action}
            title={actionLabel(action, details)}
            aria-label={actionLabel(action, details)}
            onClick={() => void session.ask('gallery/act', { id, action })}
          >
            <Icon name={actionIcons[action]} />
            <span class="gallery-action-name">{actionLabel(action, details)}</span>
          </button>
        ))}
      <MoreButton class="bar-button" onOpen={(button) => openActions(session, button)} />
    </div>
  );
}

function Facts({ session, details: { id, facts } }: PartProps) {
  return (
    <section class="details-message">
      <h3 class="details-role">{l10n.t('Details')}</h3>
      <dl class="gallery-facts">
        {facts.map(({ name, value, copy }, index) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={copy}>
              <span>{value}</span>
              {copy !== undefined && (
                <IconButton icon="copy" label={l10n.t('Copy {0}', name)} onClick={() => void session.copy(id, index)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Inputs({ details: { inputs } }: PartProps) {
  if (inputs.length === 0) return null;
  return (
    <section class="details-message">
      <h3 class="details-role">{l10n.t('Input files')}</h3>
      <ul class="gallery-inputs">
        {inputs.map(({ name, src }) => (
          <li key={name}>
            {src === undefined ? (
              <span class="gallery-input-gone">{l10n.t('No longer saved on this machine')}</span>
            ) : (
              <img src={src} alt="" />
            )}
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlayerProps {
  readonly session: GallerySession;
  readonly details: GalleryDetails;
}

/** A video or speech clip, if the editor can play it. */
function Player({ session, details: { id, kind, src, label } }: PlayerProps) {
  const [failedSrc, setFailed] = useState<string>();
  const [isUnreadable, setUnreadable] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const fail = () => setFailed(src);
  const takeFrame = () => {
    video.current?.pause();
    const png = video.current ? pngOf(video.current) : undefined;
    setUnreadable(png === undefined);
    if (png !== undefined) void session.ask('gallery/useFrame', { png });
  };
  if (failedSrc === src)
    return (
      <Note
        tone="warning"
        title={l10n.t("VS Code can't play this file")}
        detail={l10n.t('Open the file in another program.')}
        actions={[{ id: 'openOutside', label: l10n.t('Open Externally') }]}
        onAct={() => void session.ask('gallery/act', { id, action: 'openOutside' })}
      />
    );
  if (kind === 'speech')
    return (
      <audio key={src} class="gallery-player" src={src} controls preload="metadata" aria-label={label} onError={fail} />
    );
  return (
    <>
      <video
        key={src}
        ref={video}
        class="gallery-player"
        src={src}
        controls
        loop
        preload="metadata"
        aria-label={label}
        onError={fail}
        // Without the video's codec, only the sound may play.
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && fail()}
      />
      <button type="button" class="bar-button gallery-frame" onClick={takeFrame}>
        <Icon name="device-camera-video" />
        {l10n.t('Use as First Frame')}
      </button>
      {isUnreadable && <span role="status">{l10n.t("Couldn't read this frame.")}</span>}
    </>
  );
}
