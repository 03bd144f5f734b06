-- An event is kept as it was written: jsonb would reorder and re-space what subscribers get.
alter table events alter column data type json using data::text::json;
