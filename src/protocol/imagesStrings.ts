/** The strings of the images screen. The page fills in `{0}` and `{1}`. */
export interface ImagesStrings extends ImageFormStrings, ImageTileStrings {
  readonly title: string;
  readonly results: string;
  readonly loading: string;
  readonly nothing: string;
  readonly nothingDetail: string;
  readonly gallery: string;
  readonly older: string;
  readonly forgetRun: string;
  readonly stop: string;
  readonly goOn: string;
  /** `{0}`: the beginning of the prompt. */
  readonly pictureCame: string;
  /** `{0}` of `{1}`. */
  readonly place: string;
}

export interface ImageFormStrings {
  readonly form: string;
  readonly prompt: string;
  readonly promptPlaceholder: string;
  readonly model: string;
  readonly modelPlaceholder: string;
  readonly showModels: string;
  readonly modelsLoading: string;
  readonly noModels: string;
  readonly size: string;
  readonly sizeTyped: string;
  readonly sizePlaceholder: string;
  readonly sizeUsual: string;
  readonly sizesBelow: string;
  readonly ratio: string;
  readonly ratioHint: string;
  readonly seed: string;
  readonly seedRandom: string;
  readonly throwSeed: string;
  readonly emptySeed: string;
  readonly format: string;
  readonly formatUsual: string;
  readonly several: string;
  readonly eachLine: string;
  readonly alternatives: string;
  readonly seeds: string;
  readonly seedsOne: string;
  readonly seedsSequence: string;
  readonly seedsRandom: string;
  readonly seedCount: string;
  readonly sizes: string;
  readonly more: string;
  /** `{0}`: number of options set. */
  readonly moreSet: string;
  readonly notSet: string;
  readonly on: string;
  readonly off: string;
  readonly negative_prompt: string;
  readonly batch_size: string;
  readonly batch_size_hint: string;
  readonly num_inference_steps: string;
  readonly num_inference_steps_hint: string;
  readonly guidance_scale: string;
  readonly guidance_scale_hint: string;
  readonly cfg: string;
  readonly cfg_hint: string;
  readonly safety_tolerance: string;
  readonly safety_tolerance_hint: string;
  readonly prompt_upsampling: string;
  readonly image: string;
  readonly image2: string;
  readonly image3: string;
  readonly input_image: string;
  readonly inputEmpty: string;
  readonly inputOther: string;
  /** `{0}`: which one. */
  readonly removeInput: string;
  readonly inputAlt: string;
  readonly inputAway: string;
  readonly leaveOut: string;
  readonly generate: string;
  readonly generateHint: string;
  readonly ordering: string;
}

export interface ImageTileStrings {
  /** `{0}`: a number. */
  readonly seedFact: string;
  /** `{0}`: the beginning of the prompt. */
  readonly openLarge: string;
  readonly compareWithThis: string;
  readonly moreActions: string;
  readonly copy: string;
  readonly copied: string;
  readonly pathCopied: string;
  readonly copyPath: string;
  readonly insert: string;
  readonly saveAs: string;
  readonly open: string;
  readonly reveal: string;
  readonly compare: string;
  readonly compareStop: string;
  readonly compareWithFirst: string;
  readonly chooseSecond: string;
  readonly useSeed: string;
  /** `{0}`: the seed. */
  readonly seedUsed: string;
  readonly vary: string;
  readonly regenerate: string;
  readonly showRecipe: string;
  readonly remove: string;
}
