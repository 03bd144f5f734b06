// The settings of this process as an operator may read them: secrets say only whether they are set.
import { type Config, settings } from "../config.ts";
import type { Setting } from "../settings.ts";
import type { SettingView } from "../platform/accounts/operator/routes.ts";

/** Addresses may carry a password. */
const PASSWORD = /(:\/\/[^/@\s:]*:)[^@\s]*@/g;

export function describeConfig(config: Config): SettingView[] {
  return Object.entries<Setting>(settings).map(([name, setting]) => {
    const value = config[name as keyof Config];
    const isSet = value !== null && String(value) !== String(setting.default);
    const shown = value === null ? null : String(value).replaceAll(PASSWORD, "$1…@");
    return {
      name: `CONNECTOR_${name}`,
      value: setting.secret ? null : shown,
      default: setting.default === null ? null : String(setting.default),
      changed: isSet,
      secret: setting.secret === true,
      description: setting.doc,
    };
  });
}
