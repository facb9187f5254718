import './galleryDetails.css';
import { useState } from 'preact/hooks';
import type { GalleryAction, GalleryDetails } from '../../../src/protocol/gallery';
import { DetailsPane } from '../../components/detailsPane';
import { Pairs, Texts } from '../../components/detailsParts';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { Note } from '../../components/note';
import { actionIcons, openActions } from './actionMenu';
import type { Gallery } from './galleryContext';

interface PartProps {
  readonly gallery: Gallery;
  readonly details: GalleryDetails;
}

/** The actions shown as buttons; all of them are in the menu beside them. */
const seen: readonly GalleryAction[] = ['regenerate', 'vary', 'insert', 'saveAs'];

/** The selected item and its complete recipe. */
export function GalleryDetailsPane({ gallery }: { readonly gallery: Gallery }) {
  const { session, strings } = gallery;
  const details = session.details.value;
  if (!details) return null;
  const { name, texts, parameters, earlier } = details;
  const kinds = { image: strings.imageOf, video: strings.videoOf, speech: strings.speechOf };
  return (
    <DetailsPane
      label={strings.details}
      row={session.active.value ?? -1}
      class="gallery-details"
      head={
        <h2 class="details-title details-id-title" title={name}>
          {kinds[details.kind]} <span class="gallery-name">{name}</span>
        </h2>
      }
      close={strings.closeDetails}
      onClose={() => session.closeDetails()}
    >
      <Seen gallery={gallery} details={details} />
      <Actions gallery={gallery} details={details} />
      <Texts texts={texts} />
      <Facts gallery={gallery} details={details} />
      <Pairs title={strings.parameters} pairs={parameters} />
      <Inputs gallery={gallery} details={details} />
      {earlier.length > 0 && (
        <section class="details-message">
          <h3 class="details-role">{strings.earlier}</h3>
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

function Seen({ gallery, details }: PartProps) {
  const { session, strings } = gallery;
  const { kind, src, label, isGone, width, height } = details;
  const [brokenSrc, setBroken] = useState<string>();
  if (isGone)
    return <Note tone="warning" title={strings.goneTitle} detail={strings.goneDetail} actions={[]} onAct={() => {}} />;
  if (kind !== 'image') return <Player gallery={gallery} details={details} />;
  if (brokenSrc === src)
    return (
      <p class="details-note">
        <Icon name="warning" /> {strings.pictureBroken}
      </p>
    );
  return (
    <button
      type="button"
      class="gallery-preview"
      title={strings.viewLarge}
      aria-label={strings.viewLarge}
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

function Actions({ gallery, details: { id, actions } }: PartProps) {
  const { session, strings } = gallery;
  return (
    <div class="gallery-actions">
      {actions
        .filter((action) => seen.includes(action))
        .map((action) => (
          <button
            type="button"
            class="bar-button"
            key={action}
            title={strings[action]}
            aria-label={strings[action]}
            onClick={() => session.act(id, action)}
          >
            <Icon name={actionIcons[action]} />
            <span class="gallery-action-name">{strings[action]}</span>
          </button>
        ))}
      <button
        type="button"
        class="bar-button"
        title={strings.moreActions}
        aria-label={strings.moreActions}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => openActions(gallery, currentTarget)}
      >
        <Icon name="ellipsis" />
      </button>
    </div>
  );
}

function Facts({ gallery: { session, strings }, details: { id, facts } }: PartProps) {
  return (
    <section class="details-message">
      <h3 class="details-role">{strings.facts}</h3>
      <dl class="gallery-facts">
        {facts.map(({ name, value, copy }, index) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={copy}>
              <span>{value}</span>
              {copy !== undefined && (
                <IconButton
                  icon="copy"
                  label={fill(strings.copyFact, name)}
                  onClick={() => void session.copy(id, index)}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Inputs({ gallery: { strings }, details: { inputs } }: PartProps) {
  if (inputs.length === 0) return null;
  return (
    <section class="details-message">
      <h3 class="details-role">{strings.inputs}</h3>
      <ul class="gallery-inputs">
        {inputs.map(({ name, src }) => (
          <li key={name}>
            {src === undefined ? <span class="gallery-input-gone">{strings.inputGone}</span> : <img src={src} alt="" />}
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlayerProps {
  readonly gallery: Gallery;
  readonly details: GalleryDetails;
}

/** A video or speech clip, if the editor can play it. */
function Player({ gallery: { session, strings }, details: { id, kind, src, label } }: PlayerProps) {
  const [failedSrc, setFailed] = useState<string>();
  const fail = () => setFailed(src);
  if (failedSrc === src)
    return (
      <Note
        tone="warning"
        title={strings.cannotPlayTitle}
        detail={strings.cannotPlayDetail}
        actions={[{ id: 'openOutside', label: strings.openOutside }]}
        onAct={() => session.act(id, 'openOutside')}
      />
    );
  if (kind === 'speech')
    return (
      <audio key={src} class="gallery-player" src={src} controls preload="metadata" aria-label={label} onError={fail} />
    );
  return (
    <video
      key={src}
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
  );
}
