import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { ImageView } from '../../components/imageView';
import type { GalleryAction } from '../../../src/protocol/gallery';
import { actionIcons } from './actionMenu';
import type { Gallery } from './galleryContext';

const offered: readonly GalleryAction[] = ['insert', 'saveAs', 'copyPath', 'openOutside'];

/** The selected image in the large view. */
export function LargeView({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
  const beside = session.large.value;
  const details = session.details.value;
  if (!beside || details?.kind !== 'image') return null;
  const { id, src, label, name, width, height, texts, facts, actions } = details;
  const index = session.active.value;
  const count = String(session.arranged.value?.count ?? 0);
  return (
    <ImageView
      picture={{ src, alt: label, width, height }}
      name={name}
      {...(index !== undefined && { place: fill(strings.place, index + 1, count) })}
      facts={
        <>
          <p class="gallery-large-text few-lines" dir="auto">
            {texts[0]?.text}
          </p>
          <p class="gallery-large-facts">
            {facts.slice(0, 3).map((fact) => (
              <span key={fact.name}>{fact.value}</span>
            ))}
          </p>
        </>
      }
      actions={
        <span class="gallery-large-actions">
          {actions
            .filter((action) => offered.includes(action))
            .map((action) => (
              <IconButton
                key={action}
                icon={actionIcons[action]}
                label={strings[action]}
                onClick={() => session.act(id, action)}
              />
            ))}
        </span>
      }
      strings={strings}
      onPrevious={beside.previous === false ? undefined : () => session.turn(-1)}
      onNext={beside.next === false ? undefined : () => session.turn(1)}
      onClose={() => (session.large.value = undefined)}
      returnFocus={() => document.getElementById(`tile-${session.active.peek()}`)}
    />
  );
}
