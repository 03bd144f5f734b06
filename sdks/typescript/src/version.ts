// The version of this package; the tests hold it equal to package.json.
export const version = "1.0.0";
