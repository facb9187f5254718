/** The strings about parameter presets. `{0}` is a preset's name. */
export interface PresetStrings {
  readonly presets: string;
  readonly choosePreset: string;
  readonly savePreset: string;
  readonly renamePreset: string;
  readonly deletePreset: string;
  readonly presetName: string;
  readonly keepPresetName: string;
  readonly presetApplied: string;
  readonly presetDeleted: string;
}
