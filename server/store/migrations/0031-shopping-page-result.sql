-- What was read of a page is kept with each tracker; nothing reads the page's own copy.
alter table shopping_pages drop column result;
