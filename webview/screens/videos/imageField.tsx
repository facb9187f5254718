import { useId } from 'preact/hooks';
import { IconButton } from '../../components/iconButton';
import { imageOf } from './form';
import { FieldNote } from '../../components/parameter';
import type { Videos } from './videosContext';

/** The first frame of a video: an image that is chosen, dropped or pasted, with a hint on how the model uses it. */
export function ImageField({ videos }: { readonly videos: Videos }) {
  const { session, strings } = videos;
  const id = useId();
  const form = session.typed.form.value;
  const models = session.page.value?.models ?? [];
  const kind = imageOf(form.model, models);
  const hint = { needed: strings.pictureNeeded, refused: strings.pictureRefused, unknown: strings.pictureUnknown };
  const other = form.picture && kind === 'refused' ? models.find(({ picture }) => picture === 'needed') : undefined;
  return (
    <div class={`video-field video-picture video-picture-${kind}`} role="group" aria-labelledby={id}>
      <span class="video-picture-head">
        <span id={id}>{strings.picture}</span>
        <span class="videos-muted">{form.picture ? '' : hint[kind]}</span>
      </span>
      {form.picture ? <Given videos={videos} /> : <Empty videos={videos} />}
      <FieldNote id={`${id}-issue`} issue={session.typed.issues.value.picture} />
      {other && (
        <button type="button" class="link" onClick={() => session.typed.edit({ model: other.id })}>
          {strings.useModel.replace('{0}', other.id)}
        </button>
      )}
    </div>
  );
}

function Empty({ videos: { session, strings } }: { readonly videos: Videos }) {
  if (session.isReadingPicture.value) return <p class="video-picture-empty videos-muted">{strings.readingPicture}</p>;
  return (
    <p class="video-picture-empty">
      <button type="button" class="link" onClick={() => void session.choosePicture()}>
        {strings.choosePicture}
      </button>
      <span class="videos-muted">{strings.dropPicture}</span>
    </p>
  );
}

function Given({ videos: { session, strings } }: { readonly videos: Videos }) {
  const { picture: ref } = session.typed.form.value;
  const known = session.picture.value;
  const picture = known?.ref === ref ? known : undefined;
  return (
    <div class="video-picture-given">
      {picture && <img class="video-picture-image" src={picture.uri} alt={strings.picture} />}
      <span class="videos-muted">{picture ? picture.facts : strings.pictureGone}</span>
      <IconButton icon="close" label={strings.removePicture} onClick={() => session.removePicture()} />
    </div>
  );
}
